/** An address without its escapes; as it is where they are broken. */
export function decodedAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
