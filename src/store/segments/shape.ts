import { elementBytes } from './codings/elements.ts'
import { MAX_BLOCK_BYTES, type ElementType, type StoredArray } from './layout.ts'

/**
 * Checks a value from a file's contents: returns true if its type is right and all block numbers in it are below
 * `blocks`, the number of blocks. What is in a block is checked when the block is read.
 */
export type Shape = (value: unknown, blocks: number) => boolean

export const isText: Shape = (value) => typeof value === 'string'
export const isFlag: Shape = (value) => typeof value === 'boolean'
export const isNumber: Shape = (value) => Number.isFinite(value)
export const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0
/** Accepts the number of a block. */
export const isBlock: Shape = (value, blocks) => isCount(value, blocks) && (value as number) < blocks

export const maybe =
  (shape: Shape): Shape =>
  (value, blocks) =>
    value === undefined || shape(value, blocks)

export const listOf =
  (shape: Shape): Shape =>
  (value, blocks) =>
    Array.isArray(value) && value.every((each) => shape(each, blocks))

/** Returns a check for objects with these members. Other members are ignored: a later version may write them. */
export function shapeOf<T extends object>(
  members: { readonly [K in keyof Required<T>]: Shape },
  holds: (value: T, blocks: number) => boolean = () => true,
): Shape {
  const shapes = Object.entries<Shape>(members)
  return (value, blocks) => {
    if (typeof value !== 'object' || value === null) return false
    const object = value as Readonly<Record<string, unknown>>
    for (const [name, shape] of shapes) if (!shape(object[name], blocks)) return false
    return holds(value as T, blocks)
  }
}

const isPieces = maybe(shapeOf<NonNullable<StoredArray['pieces']>>({ elements: isCount, first: isCount }))

const isSomeArray = shapeOf<StoredArray>(
  {
    type: (type) => typeof type === 'string' && Object.hasOwn(elementBytes, type),
    length: isCount,
    block: isBlock,
    pieces: isPieces,
  },
  ({ type, length, pieces }) => length * elementBytes[type] <= MAX_BLOCK_BYTES && pieces?.elements !== 0,
)

/** Returns a check for stored arrays whose elements have one of these types; without types, any. */
export const arrayOf =
  (...types: readonly ElementType[]): Shape =>
  (value, blocks) =>
    isSomeArray(value, blocks) && (types.length === 0 || types.includes((value as StoredArray).type))

/** True if blocks `first` to `first + count - 1` all exist. */
export const areBlocks = (first: number, count: number, blocks: number): boolean => first + count <= blocks
