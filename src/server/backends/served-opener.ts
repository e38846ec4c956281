import { POLL_MS } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import type { Served } from './tenant.ts'
import { namedModule } from '../settings/named-module.ts'

/** Module and data with which another thread opens the served data. */
export interface ServedOpener {
  /** URL of a module that exports `open`, as in `OpenerModule`. */
  readonly module: URL
  /** Argument of `open`; must be structured-cloneable. */
  readonly data: unknown
}

export interface OpenerModule {
  /** Called once in each thread, and again each second while it rejects. `clock` is the clock of queries. */
  readonly open: (data: unknown, clock: Clock) => Promise<Served>
}

/** A `ServedOpener` that can be posted to another thread. */
export interface SentOpener {
  readonly module: string
  readonly data: unknown
}

/** Opens the data in this thread, retrying while its source is unavailable. */
export async function openServed({ module, data }: SentOpener, clock: Clock): Promise<Served> {
  const { open } = await namedModule<OpenerModule>(module)
  for (;;) {
    try {
      return await open(data, clock)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
