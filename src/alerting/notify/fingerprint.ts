import { compareText, type Labels } from '../../data/index.ts'

/** The 64-bit FNV-1a offset basis as two 32-bit halves. */
const BASIS_HIGH = 0xcbf29ce4
const BASIS_LOW = 0x84222325
/** The 64-bit FNV prime is 2^40 + 0x1b3. */
const PRIME_LOW = 0x1b3
/** Separator after each name and value; a byte that UTF-8 never contains. */
const SEPARATOR = 0xff

const encoder = new TextEncoder()

/** Returns the 64-bit FNV-1a hash of strings, each followed by a separator, as 16 hex digits. */
export function hashOf(strings: Iterable<string>): string {
  let [high, low] = [BASIS_HIGH, BASIS_LOW]
  const add = (byte: number): void => {
    const mixed = (low ^ byte) >>> 0
    const product = mixed * PRIME_LOW
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / 2 ** 32) + (mixed << 8)) >>> 0
    low = product >>> 0
  }
  for (const string of strings) {
    for (const byte of encoder.encode(string)) add(byte)
    add(SEPARATOR)
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}

/** Cached fingerprints: each write of the notification state needs the fingerprints of all alerts. */
const known = new WeakMap<Labels, string>()

/** Returns Alertmanager's fingerprint of an alert: 16 hex digits that depend only on the labels. */
export function fingerprintOf(labels: Labels): string {
  const fingerprint = known.get(labels) ?? hashOf(labels.toPairs().flat())
  known.set(labels, fingerprint)
  return fingerprint
}

/** Orders alerts as Alertmanager does: by `job`, by `instance`, by number of labels, then label by label. */
export function compareAlertLabels(a: Labels, b: Labels): number {
  for (const name of ['job', 'instance']) {
    const [own, other] = [a.get(name), b.get(name)]
    if (own === other) continue
    if (own === '' || other === '') return own === '' ? 1 : -1
    return compareText(own, other)
  }
  if (a.size !== b.size) return a.size - b.size
  for (const [i, name] of a.names.entries()) {
    const otherName = b.names[i] ?? ''
    // The set without the first differing name comes first.
    if (name !== otherName) return -compareText(name, otherName)
    const byValue = compareText(a.values[i] ?? '', b.values[i] ?? '')
    if (byValue !== 0) return byValue
  }
  return 0
}
