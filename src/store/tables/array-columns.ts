import { BATCH_ROWS, oncePer, type Budget } from '../../base/index.ts'
import {
  Instant,
  batchOfRows,
  columnOfValues,
  constantColumn,
  createBitmap,
  field,
  readTime,
  recordBatch,
  rowBytes,
  scalarOf,
  setBit,
  valueBytes,
  type Column,
  type RecordBatch,
  type Row,
  type Schema,
  type Value,
} from '../../data/index.ts'
import type { ScanRequest, TableDefinition } from '../../plan/index.ts'
import { ColumnBuilder, FieldState, RowOrder, columnBytes, sealColumn } from '../memory/index.ts'
import { FieldReader, OPAQUE, addFieldNames, isPlain, type PlainObject } from './field-reader.ts'
import { rowOfObject, wantedMembers } from './object-row.ts'

/** Bytes of columns that are kept of one array: as many as a query may hold unless told otherwise. */
const MAX_KEPT_BYTES = 256 * 2 ** 20

/** Bytes of the reference to a member that is kept beside its column. */
const MEMBER_BYTES = 8

/** Rows of an array that stand together in a batch. */
interface Chunk {
  readonly number: number
  /** Row of the array with which it begins. */
  readonly start: number
  readonly objects: readonly object[]
  readonly rowsOfArray: number
}

/** A column of a chunk, with the members that it was made of. */
interface KeptColumn {
  /** As the objects had them; of a `Date` a copy, because it can be changed. */
  readonly members: readonly unknown[]
  /** `undefined` when no row has a value. */
  readonly column: Column | undefined
  readonly bytes: number
}

/** The columns of one field of an array. */
class KeptField {
  readonly isTime: boolean
  bytes = 0
  readonly #reader: FieldReader
  readonly #chunks: (KeptColumn | undefined)[] = []
  #state: FieldState

  constructor(name: string, isTime: boolean) {
    this.isTime = isTime
    this.#reader = new FieldReader(name)
    this.#state = emptyState(name)
  }

  /** The column of a chunk, if it is that of the objects as they stand. */
  current(chunk: number, objects: readonly PlainObject[]): KeptColumn | undefined {
    const kept = this.#chunks[chunk]
    if (kept?.members.length !== objects.length) return undefined
    let row = 0
    for (const object of objects) if (!isSame(this.#reader.read(object), kept.members[row++])) return undefined
    return kept
  }

  /** Keeps a column; gives the bytes that it takes beyond the one before it. */
  keep(chunk: number, made: KeptColumn): number {
    const bytes = made.bytes - (this.#chunks[chunk]?.bytes ?? 0)
    this.#chunks[chunk] = made
    this.bytes += bytes
    return bytes
  }

  /** A column of the objects; `undefined` when they must be read as rows. Throws `budget/memory`. */
  made(objects: readonly PlainObject[], rowsOfArray: number, budget: Budget): KeptColumn | undefined {
    const members: unknown[] = []
    const values: Value[] = []
    let held = 0
    try {
      for (const object of objects) {
        const member = this.#reader.read(object)
        const value = valueOf(member, this.isTime)
        if (value === OPAQUE) return undefined
        const bytes = MEMBER_BYTES + valueBytes(value)
        held += bytes
        budget.charge(bytes)
        members.push(member instanceof Date ? new Date(member.getTime()) : member)
        values.push(value)
      }
      // With more entries than rows, most are values that no object has any more.
      if (this.#state.dictionary.size > rowsOfArray + 1) this.#state = emptyState(this.#state.name)
      const { dictionary } = this.#state
      const dictionaryBytes = dictionary.memoryBytes
      const column = this.isTime ? timeColumn(values) : columnOf(values, this.#state)
      const ownBytes = column === undefined ? 0 : columnBytes(column)
      const bytes = members.length * MEMBER_BYTES + ownBytes + dictionary.memoryBytes - dictionaryBytes
      return { members, column, bytes }
    } finally {
      budget.charge(-held)
    }
  }
}

/** Texts that hardly come again stay plain: only queries over this array use the dictionary. */
function emptyState(name: string): FieldState {
  return new FieldState(name, true, true)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime())
  return Number.isNaN(a) && Number.isNaN(b)
}

/** The value of a member. What is not a time in the time field is `OPAQUE`: it is another field. */
function valueOf(member: unknown, isTime: boolean): Value | typeof OPAQUE {
  if (member === OPAQUE) return OPAQUE
  const value = scalarOf(member) ?? null
  if (!isTime || value === null || value instanceof Instant) return value
  const ns = readTime(value, { nowNs: 0n })
  return ns === undefined ? OPAQUE : new Instant(ns)
}

function columnOf(values: readonly Value[], state: FieldState): Column | undefined {
  const builder = new ColumnBuilder(state)
  for (const [row, value] of values.entries()) builder.add(row, value)
  return sealColumn(builder, new RowOrder(values.length, undefined), false)?.column
}

/** A column of instants and missing values; `undefined` when all are missing. */
function timeColumn(values: readonly Value[]): Column | undefined {
  const times = values.map((value) => (value instanceof Instant ? value.ns : undefined))
  const present = times.filter((ns) => ns !== undefined)
  const [first] = present
  if (first === undefined) return undefined
  const baseNs = present.reduce((least, ns) => (ns < least ? ns : least), first)
  const deltas = Float64Array.from(times, (ns) => (ns === undefined ? NaN : Number(ns - baseNs)))
  if (deltas.some((delta) => delta >= 2 ** 53)) return columnOfValues(values)
  const { length } = values
  if (present.length === length) return { kind: 'time', length, baseNs, deltas, validity: undefined }
  const validity = createBitmap(length)
  for (const [row, ns] of times.entries()) if (ns !== undefined) setBit(validity, row)
  return { kind: 'time', length, baseNs, deltas, validity }
}

function arePlain(objects: readonly object[]): objects is readonly PlainObject[] {
  // `every` would pass over holes.
  for (const object of objects) if (!isPlain(object)) return false
  return true
}

/** The fields of plain objects, in the order of their rows; `undefined` when only the rows tell them. */
function fieldNames(objects: readonly PlainObject[]): Iterable<string> | undefined {
  const names = new Set<string>()
  return objects.every((object) => addFieldNames(object, names)) ? names : undefined
}

/** Objects as rows; throws SluiceError `table/…` for what is not a row, and `budget/memory`. */
function rowsOf(
  { objects, start }: Chunk,
  { name, timeField }: TableDefinition,
  columns: readonly string[] | undefined,
  budget: Budget,
): readonly Row[] {
  const isWanted = columns === undefined ? undefined : wantedMembers(columns)
  const rows: Row[] = []
  let held = 0
  try {
    for (const object of objects) {
      const row = rowOfObject(object, { table: name, index: start + rows.length }, timeField, isWanted)
      const bytes = rowBytes(row)
      held += bytes
      budget.charge(bytes)
      rows.push(row)
    }
    return rows
  } finally {
    budget.charge(-held)
  }
}

/**
 * The columns of one array. A column is made when a query first reads it and kept. Before it is used again, the member of each row
 * is compared with the one that it was made of, so an answer is always that of the objects as they stand.
 */
export class ArrayColumns {
  /** The least recently read first. */
  readonly #fields = new Map<string, KeptField>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of the columns that are kept. */
  get keptBytes(): number {
    return this.#bytes
  }

  batch(chunk: Chunk, definition: TableDefinition, { columns, budget }: ScanRequest): RecordBatch {
    const { fields, isOpen } = definition.schema
    const declared: Schema = { isOpen, fields: fields.filter(({ name }) => columns?.includes(name) !== false) }
    const { objects } = chunk
    const names = arePlain(objects) ? (columns ?? fieldNames(objects)) : undefined
    if (names === undefined) return batchOfRows(declared, rowsOf(chunk, definition, columns, budget))
    const { timeField } = definition
    const byName = new Map<string, Column>()
    const opaque: string[] = []
    for (const name of names) {
      budget.checkpoint()
      // Beside a time stands what is no time, which the row tells.
      const isText = timeField !== undefined && name === `${timeField}.text`
      const kept = isText ? undefined : this.#column(name, name === timeField, chunk, budget)
      if (kept === undefined) opaque.push(name)
      else if (kept.column !== undefined) byName.set(name, kept.column)
    }
    if (opaque.length > 0) {
      const rest = batchOfRows({ fields: [], isOpen: true }, rowsOf(chunk, definition, opaque, budget))
      for (const [i, { name }] of rest.schema.fields.entries()) {
        const column = rest.columns[i]
        if (column !== undefined && !byName.has(name)) byName.set(name, column)
      }
    }
    const known = new Set(declared.fields.map(({ name }) => name))
    const others = [...byName.keys()].filter((name) => !known.has(name))
    const all = [...declared.fields, ...others.map((name) => field(name, 'any', 'dynamic'))]
    const missing = constantColumn(null, objects.length)
    return recordBatch(
      { fields: all, isOpen },
      objects.length,
      all.map(({ name }) => byName.get(name) ?? missing),
    )
  }

  /** `undefined` when the objects must be read as rows. */
  #column(name: string, isTime: boolean, chunk: Chunk, budget: Budget): KeptColumn | undefined {
    const objects = chunk.objects as readonly PlainObject[]
    const found = this.#fields.get(name)
    const isFound = found?.isTime === isTime
    if (found !== undefined) this.#drop(name, isFound ? 0 : found.bytes)
    const kept = isFound ? found : new KeptField(name, isTime)
    this.#fields.set(name, kept)
    const current = kept.current(chunk.number, objects)
    if (current !== undefined) return current
    const made = kept.made(objects, chunk.rowsOfArray, budget)
    if (made !== undefined && this.#hasRoom(made.bytes, kept)) this.#bytes += kept.keep(chunk.number, made)
    return made
  }

  /** Drops fields that were read before this one until there is room for more of it. */
  #hasRoom(bytes: number, wanted: KeptField): boolean {
    for (const [name, oldest] of this.#fields) {
      if (this.#bytes + bytes <= this.#maxBytes || oldest === wanted) break
      this.#drop(name, oldest.bytes)
    }
    return this.#bytes + bytes <= this.#maxBytes
  }

  #drop(name: string, bytes: number): void {
    this.#fields.delete(name)
    this.#bytes -= bytes
  }
}

/** They end with their array, whichever engines read it. */
const columnsOf = oncePer((_: readonly object[]) => new ArrayColumns())

/** The rows of an array as they stand; the first batches are small, so that a query for few rows reads few. */
export function* batchesOfArray(
  objects: readonly object[],
  definition: TableDefinition,
  request: ScanRequest,
  columns = columnsOf(objects),
): Generator<RecordBatch> {
  let size = 1
  for (let number = 0, start = 0; start < objects.length; number++) {
    const chunk = { number, start, objects: objects.slice(start, start + size), rowsOfArray: objects.length }
    yield columns.batch(chunk, definition, request)
    start += size
    size = Math.min(BATCH_ROWS, size * 2)
  }
}
