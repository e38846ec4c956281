import type { ScalarFunction } from '../definition.ts'
import { add, div, mod, mul, neg, pow, sub } from './arithmetic.ts'
import { bitAnd, bitOr, bitXor } from './bits.ts'
import { defaultTo, max, min, number, rand } from './choice.ts'
import { datetimeExtract } from './datetime-extract.ts'
import { eqField, leField, ltField, valueType } from './fields.ts'
import { logqlNumber } from './logql-number.ts'
import { abs, ceil, floor, round } from './rounding.ts'
import { sortsAfter } from './sorts-after.ts'
import { streamId } from './stream-id.ts'
import { streamLabel } from './stream-label.ts'
import { streamName } from './stream-name.ts'
import { exp, ln } from './transcendental.ts'

/** Scalar functions in reference order. */
export const scalarFunctions: readonly ScalarFunction[] = [
  abs,
  add,
  bitAnd,
  bitOr,
  bitXor,
  ceil,
  datetimeExtract,
  defaultTo,
  div,
  eqField,
  exp,
  floor,
  leField,
  ln,
  logqlNumber,
  ltField,
  max,
  min,
  mod,
  mul,
  neg,
  number,
  pow,
  rand,
  round,
  sortsAfter,
  streamId,
  streamLabel,
  streamName,
  sub,
  valueType,
]
