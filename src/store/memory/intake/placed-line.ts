import type { Bytes } from '../../../base/index.ts'
import { latin1, type Value } from '../../../data/index.ts'
import type { LevelScale } from '../../../plan/index.ts'
import { placerOf, readLevel, type Placement, type PlacingTable, type ReadLevel } from '../../shapes/index.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import type { FieldState } from '../field-state.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import type { Tail } from '../tail.ts'

/** A column that values of lines go to, with its builder in the tail that is written. */
export class TailColumn {
  readonly #field: FieldState
  #builder: ColumnBuilder | undefined
  #tail: Tail | undefined

  constructor(field: FieldState) {
    this.#field = field
  }

  of(tail: Tail): ColumnBuilder {
    if (this.#tail === tail && this.#builder !== undefined) return this.#builder
    this.#tail = tail
    this.#builder = tail.builder(this.#field)
    return this.#builder
  }
}

/** Where a member goes that is there as the same kind of value in line after line; plain data, known to scanners. */
export interface MemberTargets {
  readonly fields: readonly string[]
  readonly isTime: boolean
  /** Whether it is the level, or the level as well; `original` has what another spelling is kept of. */
  readonly level: 'own' | 'copy' | undefined
}

/** Where members of lines with one set of names go, as far as someone reads them; plain data. */
export interface LineTargets {
  readonly members: readonly MemberTargets[]
  readonly levels: LevelScale | undefined
  readonly defaultLevel: string | undefined
}

/** Gives nothing when names alone do not say where members go. */
export function lineTargets(
  placement: Placement,
  { timeField, levelField }: PlacingTable,
  keeps: (field: string) => boolean,
): LineTargets | undefined {
  if (!placement.isFlat) return undefined
  const { fields, level, levels, levelCopy, defaultLevel, copies } = placement
  const isLevelKept = levelField !== undefined && (keeps(levelField) || keeps(`${levelField}.original`))
  const members = fields.map((field, i): MemberTargets => {
    if (field === timeField) return { fields: [], isTime: true, level: undefined }
    const own = i === level ? [] : [field]
    const others = copies.flatMap(({ from, field: other }) => (from === i ? [other] : []))
    const isLevel = i === level || i === levelCopy
    return {
      fields: [...own, ...others].filter(keeps),
      isTime: false,
      level: !isLevel || !isLevelKept ? undefined : i === level ? 'own' : 'copy',
    }
  })
  return { members, levels, defaultLevel: isLevelKept ? defaultLevel : undefined }
}

export function isKept({ fields, isTime, level }: MemberTargets): boolean {
  return isTime || level !== undefined || fields.length > 0
}

/** A member with its columns. */
export interface PlacedMember {
  readonly columns: readonly TailColumn[]
  readonly level: LevelColumns | undefined
}

/** Lines of one set of names, with their columns. */
export interface PlacedLine {
  readonly members: readonly PlacedMember[]
  /** -1 when lines have none. */
  readonly timeAt: number
  readonly defaultLevel: { readonly column: TailColumn; readonly level: string } | undefined
}

/** The columns of a table by field. */
export class LineColumns {
  #sink: RowBuilder
  readonly #table: PlacingTable
  readonly #columns = new Map<FieldState, TailColumn>()

  constructor(sink: RowBuilder, table: PlacingTable) {
    this.#sink = sink
    this.#table = table
  }

  /** Finds further columns in another table that shares the fields of the one before. */
  into(sink: RowBuilder): void {
    this.#sink = sink
  }

  /** Lines of these names, each once; `undefined` when names alone do not say where members go, and as `line` does. */
  ofNames(names: readonly string[]): PlacedLine | undefined {
    const targets = lineTargets(placerOf(this.#table).of(names), this.#table, (field) => this.#sink.fields.keeps(field))
    return targets === undefined ? undefined : this.line(targets)
  }

  /** `undefined` where the table has no column left for a member. */
  line({ members, levels, defaultLevel }: LineTargets): PlacedLine | undefined {
    const { levelField = '' } = this.#table
    for (const { fields } of members)
      for (const name of fields) {
        if (!this.#sink.fields.hasColumn(name)) return undefined
        this.#column(name)
      }
    const column = this.#kept(levelField)
    return {
      members: members.map((member) => ({
        columns: member.fields.map((name) => this.#column(name)),
        level:
          member.level === undefined
            ? undefined
            : new LevelColumns(
                column,
                member.level === 'own' ? this.#kept(`${levelField}.original`) : undefined,
                levels,
                member.level === 'copy',
              ),
      })),
      timeAt: members.findIndex(({ isTime }) => isTime),
      defaultLevel: defaultLevel === undefined || column === undefined ? undefined : { column, level: defaultLevel },
    }
  }

  #kept(name: string): TailColumn | undefined {
    return this.#sink.fields.keeps(name) ? this.#column(name) : undefined
  }

  #column(name: string): TailColumn {
    const field = this.#sink.fields.field(name)
    const known = this.#columns.get(field)
    if (known !== undefined) return known
    const made = new TailColumn(field)
    this.#columns.set(field, made)
    return made
  }
}

/** A level as it was written, with how it was read. */
interface KnownLevel {
  readonly bytes: Uint8Array
  readonly read: ReadLevel
  /** Of its level in the dictionary of the column; 0 until it is asked for. */
  code: number
}

/** Distinct levels of one body that are remembered: they are compared one after another (bench `protocols`, OTLP logs). */
const MAX_KNOWN_LEVELS = 16

/** Puts levels into their column, and beside it the numbers that got names. */
export class LevelColumns {
  readonly #level: TailColumn | undefined
  readonly #original: TailColumn | undefined
  readonly #levels: LevelScale | undefined
  readonly #isCopy: boolean
  readonly #known: KnownLevel[] = []

  constructor(
    level: TailColumn | undefined,
    original: TailColumn | undefined,
    levels: LevelScale | undefined,
    isCopy: boolean,
  ) {
    this.#level = level
    this.#original = original
    this.#levels = levels
    this.#isCopy = isCopy
  }

  addAscii(tail: Tail, row: number, bytes: Bytes, start: number, end: number): void {
    const known = this.#find(bytes, start, end)
    const { read } = known
    if (this.#isCopy && !read.isKnown) return
    const column = this.#level?.of(tail)
    if (column?.mode === 'codes') {
      const { dictionary } = column.field
      if (known.code === 0 || dictionary.isForgotten(known.code)) known.code = dictionary.entries.intern(read.level)
      column.addCode(row, known.code)
    } else column?.add(row, read.level)
    if (read.isRenamed) this.#original?.of(tail).addAscii(row, bytes, start, end)
  }

  add(tail: Tail, row: number, value: Value): void {
    const read = readLevel(value, this.#levels, this.#isCopy)
    if (this.#isCopy && !read.isKnown) return
    this.#level?.of(tail).add(row, read.level)
    if (read.isRenamed) this.#original?.of(tail).add(row, value)
  }

  #find(bytes: Bytes, start: number, end: number): KnownLevel {
    const length = end - start
    for (const known of this.#known) {
      if (known.bytes.length !== length) continue
      let i = 0
      while (i < length && known.bytes[i] === bytes[start + i]) i++
      if (i === length) return known
    }
    const read = readLevel(latin1(bytes, start, end), this.#levels, this.#isCopy)
    const made: KnownLevel = { bytes: new Uint8Array(bytes.subarray(start, end)), read, code: 0 }
    if (this.#known.length === MAX_KNOWN_LEVELS) this.#known.length = 0
    this.#known.push(made)
    return made
  }
}
