import { parseRfc3339 } from '../../base/index.ts'
import { epochNs, type PlainJson, type LabelPair } from '../../data/index.ts'
import type { PartCount } from '../part-count.ts'
import type { Entry, Stream } from './entries.ts'
import { readStreamLabels } from './labels.ts'

type Members = Readonly<Record<string, PlainJson | undefined>>

function objectOf(value: PlainJson | undefined, what: string): Members {
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error(`${what} is not an object`)
  return value as Members
}

function listOf(value: PlainJson | undefined, what: string): readonly PlainJson[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Error(`${what} is not a list`)
  return value
}

function textOf(value: PlainJson | undefined, what: string): string {
  if (typeof value !== 'string') throw new Error(`${what} is not a text`)
  return value
}

function pairsOf(value: PlainJson | undefined, what: string, parts: PartCount): readonly LabelPair[] {
  const pairs = Object.entries(objectOf(value, what))
  parts.add(pairs.length)
  return pairs.map(([name, text]) => [name, textOf(text, `a member of ${what}`)])
}

/**
 * Reads a time. The protocol requires nanoseconds; seconds, milliseconds and microseconds are recognised by their
 * number of digits.
 */
function nanosecondsOf(value: PlainJson | undefined): Entry['timeNs'] {
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
  if (!/^-?\d{1,20}$/.test(text)) return 'unreadable'
  return BigInt(text) === 0n ? undefined : (epochNs(text) ?? BigInt(text))
}

/** Yields the streams of a parsed push. Throws an Error when the document is not a push. */
export function* jsonStreams(document: PlainJson, parts: PartCount): Generator<Stream> {
  for (const given of listOf(objectOf(document, 'the document')['streams'], '`streams`')) {
    parts.begin()
    parts.add()
    const { stream, labels, values, entries } = objectOf(given, 'something in `streams`')
    yield entries === undefined
      ? { labels: stream === undefined ? [] : pairsOf(stream, '`stream`', parts), entries: valuesOf(values, parts) }
      : { labels: readStreamLabels(textOf(labels, '`labels`')), entries: entriesOf(entries, parts) }
  }
}

function* valuesOf(values: PlainJson | undefined, parts: PartCount): Generator<Entry> {
  for (const value of listOf(values, '`values`')) {
    parts.begin()
    parts.add()
    const [time, line, metadata] = listOf(value, 'something in `values`')
    yield {
      timeNs: nanosecondsOf(time),
      line: textOf(line, 'a line'),
      metadata: metadata === undefined ? [] : pairsOf(metadata, 'structured metadata', parts),
    }
  }
}

/** Reads the form of the first protocol versions: `{"ts": RFC 3339, "line": …}`. */
function* entriesOf(entries: PlainJson, parts: PartCount): Generator<Entry> {
  for (const given of listOf(entries, '`entries`')) {
    parts.begin()
    parts.add()
    const { ts, line } = objectOf(given, 'something in `entries`')
    const timeNs = typeof ts === 'string' ? parseRfc3339(ts) : undefined
    yield {
      timeNs: ts === undefined ? undefined : (timeNs ?? 'unreadable'),
      line: textOf(line, 'a line'),
      metadata: [],
    }
  }
}
