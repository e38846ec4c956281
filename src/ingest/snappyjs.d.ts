declare module 'snappyjs' {
  const snappy: {
    /** Throws when the data is damaged or decompresses to more than `maxLength` bytes. */
    uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array
    compress(uncompressed: Uint8Array): Uint8Array
  }
  export default snappy
}
