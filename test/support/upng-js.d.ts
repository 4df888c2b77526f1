/** https://github.com/photopea/UPNG.js brings no types; as far as they are used. */
declare module 'upng-js' {
  const UPNG: {
    /** Frames of RGBA as one animated PNG of at most so many colours, each shown for so many milliseconds. */
    encode(
      frames: ArrayBufferLike[],
      width: number,
      height: number,
      colours: number,
      delays: number[],
    ): ArrayBuffer
  }
  export default UPNG
}
