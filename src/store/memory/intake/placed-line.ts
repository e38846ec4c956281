import type { Bytes } from '../../../base/index.ts'
import { latin1, type Value } from '../../../data/index.ts'
import type { LevelScale } from '../../../plan/index.ts'
import { placerOf, readLevel, type Placement, type PlacingTable, type ReadLevel } from '../../shapes/index.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import type { FieldState } from '../field-state.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import type { Tail } from '../tail.ts'

/** A column that receives values, and its builder in the current tail. */
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

/**
 * Storage location of a member that has the same kind of value in many lines. Plain data, which scanners also receive.
 */
export interface MemberTargets {
  readonly fields: readonly string[]
  readonly isTime: boolean
  /**
   * `own`: the member is the level. `copy`: the level is set from the member too. If a level is renamed, the field
   * `.original` contains the original spelling.
   */
  readonly level: 'own' | 'copy' | undefined
}

/**
 * Storage locations of the members of lines with the same names, limited to fields that the table keeps. Plain data.
 */
export interface LineTargets {
  readonly members: readonly MemberTargets[]
  readonly levels: LevelScale | undefined
  readonly defaultLevel: string | undefined
}

/** Returns where the members are stored; `undefined` if the names alone do not determine this. */
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

/** Lines with the same names, with their columns. */
export interface PlacedLine {
  readonly members: readonly PlacedMember[]
  /** The index of the member that is the time; -1 if there is none. */
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

  /** Continues with another table, which must share the fields of the previous one. */
  into(sink: RowBuilder): void {
    this.#sink = sink
  }

  /**
   * Returns the columns for lines with these distinct names. Returns `undefined` if the names alone do not determine
   * them, and in the cases of `line`.
   */
  ofNames(names: readonly string[]): PlacedLine | undefined {
    const targets = lineTargets(placerOf(this.#table).of(names), this.#table, (field) => this.#sink.fields.keeps(field))
    return targets === undefined ? undefined : this.line(targets)
  }

  /**
   * Returns the columns for lines; `undefined` if the table has reached its limit of columns and a member needs a new
   * one.
   */
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

/** A level as written, with its interpretation. */
interface KnownLevel {
  readonly bytes: Uint8Array
  readonly read: ReadLevel
  /** The code of the level in the column's dictionary; 0 until it is needed. */
  code: number
}

/**
 * Maximum number of distinct levels per request body that are cached. They are searched sequentially (bench
 * `protocols`, OTLP logs).
 */
const MAX_KNOWN_LEVELS = 16

/** Writes levels into their column, and the original spelling of renamed levels into a second one. */
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
