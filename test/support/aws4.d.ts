/** https://github.com/mhart/aws4 brings no types. */
declare module 'aws4' {
  const aws4: { sign(request: object, credentials: object): { headers: Record<string, string> } }
  export default aws4
}
