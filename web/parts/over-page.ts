/** Where what lies over a page is: in its main part, so that anyone who goes by landmarks finds it. */
export const overPage = (): HTMLElement => document.querySelector('main') ?? document.body
