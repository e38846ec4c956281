declare module 'unbzip2-stream' {
  /** Unpacks as it is written to: `data` is emitted within `write` and `end`. */
  export interface Unbzip2Stream {
    write(bytes: Uint8Array): boolean
    end(): void
    on(event: 'data', listener: (bytes: Uint8Array) => void): this
    on(event: 'error', listener: (error: Error) => void): this
  }
  export default function unbzip2(): Unbzip2Stream
}
