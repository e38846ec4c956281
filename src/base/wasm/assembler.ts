import { Bytes, canShareMemory } from '../bytes.ts'

/** Instructions of one function body, as bytes. */
export type Code = readonly number[]

function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest === 0 ? low : low | 0x80)
  } while (rest !== 0)
  return bytes
}

function signed(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

/** Of a 64-bit number. */
function signed64(value: bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asIntN(64, value)
  for (;;) {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

function text(value: string): number[] {
  const bytes = [...Bytes.from(value)]
  return [...unsigned(bytes.length), ...bytes]
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

const I32 = 0x7f
const I64 = 0x7e
const V128 = 0x7b
const F64 = 0x7c
const EMPTY_BLOCK = 0x40

/** The few instructions that the kernels use. Operands come first, as on the stack. */
export const wasm = {
  i32: (value: number): Code => [0x41, ...signed(value)],
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)],
  block: (...body: readonly Code[]): Code => [0x02, EMPTY_BLOCK, ...body.flat(), 0x0b],
  loop: (...body: readonly Code[]): Code => [0x03, EMPTY_BLOCK, ...body.flat(), 0x0b],
  when: (condition: Code, ...body: readonly Code[]): Code => [...condition, 0x04, EMPTY_BLOCK, ...body.flat(), 0x0b],
  /** Jumps out of that many blocks, or to the start of a loop. */
  br: (depth: number): Code => [0x0c, ...unsigned(depth)],
  /** Both branches count as one block for jumps. */
  whenElse: (condition: Code, then: Code, otherwise: Code): Code => [
    ...condition,
    0x04,
    EMPTY_BLOCK,
    ...then,
    0x05,
    ...otherwise,
    0x0b,
  ],
  brIf: (depth: number, condition: Code): Code => [...condition, 0x0d, ...unsigned(depth)],
  load8: (address: Code): Code => [...address, 0x2d, 0, 0],
  load32: (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)],
  store32: (address: Code, value: Code, offset = 0): Code => [...address, ...value, 0x36, 2, ...unsigned(offset)],
  loadF64: (address: Code, offset = 0): Code => [...address, 0x2b, 3, ...unsigned(offset)],
  storeF64: (address: Code, value: Code, offset = 0): Code => [...address, ...value, 0x39, 3, ...unsigned(offset)],
  eqz: (a: Code): Code => [...a, 0x45],
  eq: (a: Code, b: Code): Code => [...a, ...b, 0x46],
  ne: (a: Code, b: Code): Code => [...a, ...b, 0x47],
  ltU: (a: Code, b: Code): Code => [...a, ...b, 0x49],
  leU: (a: Code, b: Code): Code => [...a, ...b, 0x4d],
  gtU: (a: Code, b: Code): Code => [...a, ...b, 0x4b],
  gtS: (a: Code, b: Code): Code => [...a, ...b, 0x4a],
  ctz: (a: Code): Code => [...a, 0x68],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  sub: (a: Code, b: Code): Code => [...a, ...b, 0x6b],
  mul: (a: Code, b: Code): Code => [...a, ...b, 0x6c],
  divU: (a: Code, b: Code): Code => [...a, ...b, 0x6e],
  and: (a: Code, b: Code): Code => [...a, ...b, 0x71],
  or: (a: Code, b: Code): Code => [...a, ...b, 0x72],
  shl: (a: Code, b: Code): Code => [...a, ...b, 0x74],
  shrU: (a: Code, b: Code): Code => [...a, ...b, 0x76],
  shrS: (a: Code, b: Code): Code => [...a, ...b, 0x75],
  xor: (a: Code, b: Code): Code => [...a, ...b, 0x73],
  geU: (a: Code, b: Code): Code => [...a, ...b, 0x4f],
  geS: (a: Code, b: Code): Code => [...a, ...b, 0x4e],
  leS: (a: Code, b: Code): Code => [...a, ...b, 0x4c],
  store8: (address: Code, value: Code, offset = 0): Code => [...address, ...value, 0x3a, 0, ...unsigned(offset)],
  store16: (address: Code, value: Code): Code => [...address, ...value, 0x3b, 1, 0],
  i64: (value: bigint): Code => [0x42, ...signed64(value)],
  i64Load: (address: Code, offset = 0): Code => [...address, 0x29, 0, ...unsigned(offset)],
  i64Store: (address: Code, value: Code, offset = 0): Code => [...address, ...value, 0x37, 0, ...unsigned(offset)],
  i64Add: (a: Code, b: Code): Code => [...a, ...b, 0x7c],
  i64Sub: (a: Code, b: Code): Code => [...a, ...b, 0x7d],
  i64Mul: (a: Code, b: Code): Code => [...a, ...b, 0x7e],
  i64DivU: (a: Code, b: Code): Code => [...a, ...b, 0x80],
  i64And: (a: Code, b: Code): Code => [...a, ...b, 0x83],
  i64Or: (a: Code, b: Code): Code => [...a, ...b, 0x84],
  i64Shl: (a: Code, b: Code): Code => [...a, ...b, 0x86],
  i64ShrU: (a: Code, b: Code): Code => [...a, ...b, 0x88],
  i64Clz: (a: Code): Code => [...a, 0x79],
  i64Ctz: (a: Code): Code => [...a, 0x7a],
  i64Eqz: (a: Code): Code => [...a, 0x50],
  i64Eq: (a: Code, b: Code): Code => [...a, ...b, 0x51],
  i64LtU: (a: Code, b: Code): Code => [...a, ...b, 0x54],
  i64GtU: (a: Code, b: Code): Code => [...a, ...b, 0x56],
  i64LeU: (a: Code, b: Code): Code => [...a, ...b, 0x58],
  /** A 32-bit number without a sign as one of 64 bits. */
  i64OfI32: (a: Code): Code => [...a, 0xad],
  /** The bits of a double. */
  i64OfBits: (a: Code): Code => [...a, 0xbd],
  /** A double of at least 0 and below 2^64, cut to a whole number. */
  i64OfF64: (a: Code): Code => [...a, 0xb1],
  /** The lower half of a 64-bit number. */
  i32OfI64: (a: Code): Code => [...a, 0xa7],
  f64: (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  f64Add: (a: Code, b: Code): Code => [...a, ...b, 0xa0],
  f64Sub: (a: Code, b: Code): Code => [...a, ...b, 0xa1],
  f64Mul: (a: Code, b: Code): Code => [...a, ...b, 0xa2],
  f64Div: (a: Code, b: Code): Code => [...a, ...b, 0xa3],
  f64Abs: (a: Code): Code => [...a, 0x99],
  f64Trunc: (a: Code): Code => [...a, 0x9d],
  f64Lt: (a: Code, b: Code): Code => [...a, ...b, 0x63],
  f64Eq: (a: Code, b: Code): Code => [...a, ...b, 0x61],
  f64Gt: (a: Code, b: Code): Code => [...a, ...b, 0x64],
  f64Le: (a: Code, b: Code): Code => [...a, ...b, 0x65],
  f64Ge: (a: Code, b: Code): Code => [...a, ...b, 0x66],
  /** A 32-bit number without a sign as a double. */
  f64OfI32: (a: Code): Code => [...a, 0xb8],
  /** From `offset` bytes behind the address on. */
  v128Load: (address: Code, offset = 0): Code => [...address, 0xfd, 0x00, 0, ...unsigned(offset)],
  /** Sixteen times the same byte. */
  i8x16: (byte: number): Code => [0xfd, 0x0c, ...Array<number>(16).fill(byte & 0xff)],
  i8x16Splat: (a: Code): Code => [...a, 0xfd, 0x0f],
  i8x16LtS: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x25],
  i8x16LtU: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x26],
  i8x16Eq: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x23],
  i8x16Add: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x6e],
  i8x16Sub: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x71],
  /** One half of 128 bits, 0 or 1, as a 64-bit number. */
  i64Of: (a: Code, half: number): Code => [...a, 0xfd, 0x1d, half],
  v128And: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x4e],
  v128Or: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x50],
  v128Xor: (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0x51],
  v128AnyTrue: (a: Code): Code => [...a, 0xfd, 0x53],
  i8x16Bitmask: (a: Code): Code => [...a, 0xfd, 0x64],
  v128Store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    0xfd,
    0x0b,
    0,
    ...unsigned(offset),
  ],
  /** Both numbers side by side. */
  f64x2: (low: Code, high: Code): Code => [...low, 0xfd, 0x14, ...high, 0xfd, 0x22, 1],
  f64x2Add: (a: Code, b: Code): Code => [...a, ...b, 0xfd, ...unsigned(0xf0)],
}

/** The locals of a function behind its parameters. */
export interface Locals {
  readonly i32: number
  readonly v128: number
  readonly f64?: number
  readonly i64?: number
}

/** A local by its name. */
export interface Local {
  readonly get: Code
  readonly set: (value: Code) => Code
}

/** Names for the locals of a function: its parameters, then its own, in the order of `Locals`. */
export function localsNamed<N extends string>(names: readonly N[]): Readonly<Record<N, Local>> {
  const local = (index: number): Local => ({ get: wasm.get(index), set: (value) => wasm.set(index, value) })
  return Object.fromEntries(names.map((name, index) => [name, local(index)])) as Record<N, Local>
}

/**
 * A module with one function `run` of `i32` parameters and no result; it imports its memory as `env.memory`, which threads
 * share, where the runtime has such memory, when it may have at most `sharedPages` pages.
 */
export function moduleOf(params: number, locals: Locals, body: Code, sharedPages?: number): Uint8Array<ArrayBuffer> {
  const limits = sharedPages === undefined ? [0x00, 1] : [canShareMemory ? 0x03 : 0x01, 1, ...unsigned(sharedPages)]
  const type = [0x60, ...unsigned(params), ...Array<number>(params).fill(I32), 0]
  const { i32, v128, f64 = 0, i64 = 0 } = locals
  const runs = [
    unsigned(i32).concat(I32),
    unsigned(v128).concat(V128),
    unsigned(f64).concat(F64),
    unsigned(i64).concat(I64),
  ]
  const declared = [...unsigned(runs.length), ...runs.flat()]
  const code = [...declared, ...body, 0x0b]
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, [1, ...type]),
    ...section(2, [1, ...text('env'), ...text('memory'), 0x02, ...limits]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('run'), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}
