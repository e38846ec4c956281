/** Expected values of a stored record, whatever its format. */
export interface ExpectedRecord {
  readonly text?: string
  readonly level?: string
  /** RFC 3339; `undefined` where the record brings no time and so gets that of its arrival. */
  readonly time?: string
  readonly service?: string
  readonly trace?: string
  readonly span?: string
  /** Some of the others. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Records as a logger or shipper writes them. */
export interface CorpusCase {
  readonly name: string
  /** Content of the file or request body. */
  readonly input: string
  readonly records: readonly ExpectedRecord[]
}

/** One record, as a line of text or as an object that is written as one line of JSON. */
export function one(name: string, input: string | object, record: ExpectedRecord): CorpusCase {
  return { name, input: `${typeof input === 'string' ? input : JSON.stringify(input)}\n`, records: [record] }
}

/** Several records of the same lines. */
export function some(name: string, input: string, ...records: readonly ExpectedRecord[]): CorpusCase {
  return { name, input, records }
}

/** Time of most records. */
export const at = '2025-11-30T10:11:12.000000000Z'
export const atMs = '2025-11-30T10:11:12.345000000Z'
export const atUs = '2025-11-30T10:11:12.345678000Z'
export const atNs = '2025-11-30T10:11:12.345678901Z'

export const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
export const span = '00f067aa0ba902b7'
