import { POLL_MS } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import type { Served } from './tenant.ts'
import { namedModule } from '../settings/named-module.ts'

/** How another thread opens what is served, to answer from it as this one does. */
export interface ServedOpener {
  /** A module that exports `open` as `OpenerModule` says. */
  readonly module: URL
  /** Handed to it; what a message to another thread can hold. */
  readonly data: unknown
}

export interface OpenerModule {
  /** Called once in each thread, and again a second later while it rejects. Queries run at the time of `clock`. */
  readonly open: (data: unknown, clock: Clock) => Promise<Served>
}

/** As a message to another thread has it. */
export interface ToldOpener {
  readonly module: string
  readonly data: unknown
}

/** Opens it in this thread, however long what it comes from is away. */
export async function openServed({ module, data }: ToldOpener, clock: Clock): Promise<Served> {
  const { open } = await namedModule<OpenerModule>(module)
  for (;;) {
    try {
      return await open(data, clock)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
