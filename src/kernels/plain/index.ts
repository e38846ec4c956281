import type { Kernels } from '../kernels.ts'
import { foldKernels } from './folds.ts'
import { groupKernels } from './groups.ts'
import { jsonKernels } from './json.ts'
import { lineKernels } from './lines.ts'
import { literalKernels } from './literals.ts'
import { pointKernels } from './points.ts'
import { rateKernels } from './rates.ts'
import { Views } from './views.ts'
import { wordKernels } from './words.ts'

/** Returns all kernels in plain TypeScript over one memory. */
export function plainKernels(buffer: ArrayBufferLike): Kernels {
  const views = new Views(buffer)
  return {
    ...foldKernels(views),
    ...groupKernels(views),
    ...jsonKernels(views),
    ...lineKernels(views),
    ...literalKernels(views),
    ...pointKernels(views),
    ...rateKernels(views),
    ...wordKernels(views),
  }
}
