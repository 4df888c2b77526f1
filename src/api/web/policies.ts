/** What the application may load and run: what this host serves, and no page of another one. */
export const APP_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify ProseMirrorClipboard facet-worker",
  'cross-origin-opener-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
} as const

/** The cage of a component that the assistant made: it may draw, and reach nobody. */
export const frameHeaders = (importMapHash: string) => ({
  'content-security-policy': `default-src 'none'; script-src 'self' blob: 'sha256-${importMapHash}'; style-src 'self' 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'none'; worker-src 'none'; child-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts`,
  'x-dns-prefetch-control': 'off',
})
