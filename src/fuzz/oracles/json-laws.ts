import type { SharedLaw } from '../runner/fuzzer.ts'
import type { PipelineCase } from './json-law.ts'
import { jsonParametersAreValues } from './json-parameters-are-values.ts'
import { jsonSameAfterOptimize } from './json-same-after-optimize.ts'
import { jsonSameOnEveryBackend } from './json-same-on-every-backend.ts'
import { jsonTextJson } from './json-text-json.ts'
import { jsonToText } from './json-to-text.ts'
import { jsonTolerantDecoding } from './json-tolerant-decoding.ts'

/** Laws of structured queries, each with the share of cases for which it is checked. */
export const jsonLaws: readonly SharedLaw<PipelineCase>[] = [
  { law: jsonSameOnEveryBackend, share: 1 },
  { law: jsonSameAfterOptimize, share: 0.5 },
  { law: jsonTolerantDecoding, share: 1 },
  { law: jsonToText, share: 1 },
  { law: jsonTextJson, share: 1 },
  { law: jsonParametersAreValues, share: 0.5 },
]
