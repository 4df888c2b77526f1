// Runs before anything is drawn, so that nobody sees the other theme flash by. The keys are those of data/preferences.ts.
const { dataset } = document.documentElement
for (const name of ['theme', 'density']) {
  const value = localStorage.getItem(`facet.${name}`)
  if (value) dataset[name] = value
}
