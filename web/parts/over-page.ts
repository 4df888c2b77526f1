/** Where what lies over a page is: in its main part, so that anyone who goes by landmarks finds it. */
export const overPage = (): HTMLElement => mainOfPage() ?? document.body

/** Missing until the page is there. */
export const mainOfPage = (): HTMLElement | null => document.querySelector('main')
