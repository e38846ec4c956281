/**
 * The upper halves of the keys that the filters of a segment file were made of, as `highOfBytes` gives them. Filters over many segments are
 * made of the same, so that nobody goes through words and texts twice.
 */
export class NotedHashes {
  /** Of all words, in their order. */
  words: Uint32Array | undefined
  /** By field, of the texts that are there, in the order of their rows. */
  readonly texts = new Map<string, Uint32Array>()
}
