import type { Attack } from '../attack.ts'
import { agentAttacks } from './agents.ts'
import { bodyAttacks } from './bodies.ts'
import { catalogAttacks } from './catalogs.ts'
import { connectionAttacks } from './connections.ts'
import { logAttacks } from './logs.ts'
import { metricAttacks } from './metrics.ts'
import { protocolAttacks } from './protocol.ts'
import { resourceAttacks } from './resources.ts'
import { structuredAttacks } from './structured.ts'

const reading = [...logAttacks, ...metricAttacks, ...structuredAttacks, ...connectionAttacks, ...protocolAttacks]
const all = [...reading, ...resourceAttacks, ...bodyAttacks, ...agentAttacks, ...catalogAttacks]

/** All attacks. Those that store data come last. */
export const attacks: readonly Attack[] = all.toSorted(
  (a, b) => Number(a.leavesData === true) - Number(b.leavesData === true),
)
