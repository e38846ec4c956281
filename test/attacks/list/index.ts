import type { Attack } from '../attack.ts'
import { bodyAttacks } from './bodies.ts'
import { connectionAttacks } from './connections.ts'
import { logAttacks } from './logs.ts'
import { metricAttacks } from './metrics.ts'

/** Those that store something come last. */
export const attacks: readonly Attack[] = [...logAttacks, ...metricAttacks, ...connectionAttacks, ...bodyAttacks]
