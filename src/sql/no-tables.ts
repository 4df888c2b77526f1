/** What is reported to an operator of a database on which the service never ran. */
export const NO_TABLES = {
  message: 'The database has no tables of Facet',
  suggestion: 'Start the service on it once, which makes them, or set DATABASE_URL to another one',
}
