import type { Check } from '../check.ts'
import { certificate } from './certificate.ts'
import { clock } from './clock.ts'
import { configuration } from './configuration.ts'
import { dataFolder } from './data-folder.ts'
import { disk } from './disk.ts'
import { keys } from './keys.ts'
import { limits } from './limits.ts'
import { memory } from './memory.ts'
import { ports } from './ports.ts'
import { versions } from './versions.ts'

/** All checks, in the order of the report. */
export const checks: readonly Check[] = [
  versions,
  configuration,
  clock,
  limits,
  memory,
  dataFolder,
  disk,
  keys,
  certificate,
  ports,
]
