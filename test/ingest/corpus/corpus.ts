/** Expected values of a stored record, whatever its format. */
export interface ExpectedRecord {
  readonly text?: string
  readonly level?: string
  /** RFC 3339 time. If `undefined`, the record has no time and gets the time of arrival. */
  readonly time?: string
  readonly service?: string
  readonly trace?: string
  readonly span?: string
  /** Expected values of some further fields. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** An input with records as a logger or shipper writes them, and their expected values. */
export interface CorpusCase {
  readonly name: string
  /** Content of the file or request body. */
  readonly input: string
  readonly records: readonly ExpectedRecord[]
}

/** Returns a case with one record: a line of text, or an object that is written as one line of JSON. */
export function one(name: string, input: string | object, record: ExpectedRecord): CorpusCase {
  return { name, input: `${typeof input === 'string' ? input : JSON.stringify(input)}\n`, records: [record] }
}

/** Returns a case with several records in one input. */
export function some(name: string, input: string, ...records: readonly ExpectedRecord[]): CorpusCase {
  return { name, input, records }
}

/** Expected time of most records. The other constants add milliseconds, microseconds and nanoseconds. */
export const at = '2025-11-30T10:11:12.000000000Z'
export const atMs = '2025-11-30T10:11:12.345000000Z'
export const atUs = '2025-11-30T10:11:12.345678000Z'
export const atNs = '2025-11-30T10:11:12.345678901Z'

export const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
export const span = '00f067aa0ba902b7'
