/**
 * A file that is dropped where nothing takes it is refused: browsers would open it in place of the application, or in a
 * new tab. Returns what ends that.
 */
export function refuseStrayFiles(): () => void {
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
  return () => {
    removeEventListener('dragover', refuse)
    removeEventListener('drop', refuse)
  }
}

function refuse(event: DragEvent): void {
  const { dataTransfer, target } = event
  if (event.defaultPrevented || !dataTransfer?.types.includes('Files')) return
  if (target instanceof Element && target.matches('input[type=file]')) return
  event.preventDefault()
  dataTransfer.dropEffect = 'none'
}
