import { createHash } from 'node:crypto'

/** Length of the digest in a tag, bytes: long enough to rule out collisions. */
const TAG_BYTES = 16

/** Returns the weak entity tag of a content given in parts; the same for each content encoding. */
export function tagOfBytes(chunks: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return `W/"${hash.digest().subarray(0, TAG_BYTES).toString('base64url')}"`
}

/** True if an `If-None-Match` or `If-Match` header names the tag. */
export function namesTag(header: string | null, tag: string): boolean {
  if (header === null) return false
  const bare = (text: string): string => text.trim().replace(/^W\//, '')
  return header.split(',').some((each) => each.trim() === '*' || bare(each) === bare(tag))
}
