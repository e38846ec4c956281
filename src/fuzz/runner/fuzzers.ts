import type { Fuzzer } from './fuzzer.ts'
import { foreignFuzzers, foreignScopeFuzzers } from '../foreign/index.ts'
import { fixes } from '../fixes/index.ts'
import { monitors } from '../monitors/index.ts'
import { parser } from '../parser/index.ts'
import { pipelines } from '../pipeline/pipelines.ts'
import { promql } from '../promql/index.ts'
import { fieldLimitFuzzer, scopeFuzzer, type ScopeWays } from '../scope/index.ts'
import { readersFuzzers } from '../readers/index.ts'
import { records } from '../records/index.ts'
import { shapesFuzzer, type ShapeWays } from '../shapes/index.ts'
import { texts } from '../texts.ts'
import { times } from '../times/index.ts'

/** Returns every fuzzer, in the order in which they run. */
export const fuzzersOf = (scope: ScopeWays, shapes: ShapeWays): readonly Fuzzer[] => [
  texts,
  pipelines,
  promql,
  parser,
  fixes,
  ...readersFuzzers,
  times,
  records,
  monitors,
  shapesFuzzer(shapes),
  scopeFuzzer(scope),
  fieldLimitFuzzer(),
  ...foreignFuzzers,
  ...foreignScopeFuzzers,
]
