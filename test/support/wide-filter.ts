/**
 * 998 conditions on descriptions that no index serves and no single pass through a text: of each text two parts, of
 * which neither is in any, are looked for again and again. Holds of no item; a salt makes it one that nobody has met.
 */
export const wideFilter = (salt: string | number = '') => ({
  or: Array.from({ length: 499 }, (_, i) => ({
    and: [
      { not: { description: { contains: `no such text ${salt} ${i}` } } },
      { description: { contains: `nor such a one ${salt} ${i}` } },
    ],
  })),
})
