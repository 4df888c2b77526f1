/** Where what lies over a page stands: in its main part, so that whoever goes by landmarks finds it. */
export const overPage = (): HTMLElement => document.querySelector('main') ?? document.body
