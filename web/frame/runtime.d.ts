import type { Root } from 'react-dom/client'

// The build makes the frame's `react` out of React and this.
declare module 'react' {
  export function createFrameRoot(element: Element): Root
}
