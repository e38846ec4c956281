import type { IngestTarget } from '../ingest/decoder.ts'
import { namedModule } from '../settings/named-module.ts'

/** Module and data with which the thread that owns the backends fills them at start-up. */
export interface DataLoader {
  /** URL of a module that exports `load`, as in `LoadModule`. */
  readonly module: URL
  /** Argument of `load`; must be structured-cloneable. */
  readonly data: unknown
  /** Receives messages from `load`. */
  readonly onMessage?: (message: unknown) => void
}

export interface LoadModule {
  readonly load: (
    targets: ReadonlyMap<string, IngestTarget>,
    data: unknown,
    tell: (message: unknown) => void,
  ) => Promise<void> | void
}

/** A loader that can be posted to another thread. */
export interface NamedLoader {
  /** URL of the module that exports `load`. */
  readonly module: string
  readonly data: unknown
}

export async function loadData(
  { module, data }: NamedLoader,
  targets: ReadonlyMap<string, IngestTarget>,
  tell: (message: unknown) => void,
): Promise<void> {
  const { load } = await namedModule<LoadModule>(module)
  await load(targets, data, tell)
}
