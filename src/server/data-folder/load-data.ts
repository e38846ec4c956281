import type { IngestTarget } from '../ingest/decoder.ts'
import { namedModule } from '../settings/named-module.ts'

/** Fills backends at the start, in the thread that has them. */
export interface DataLoader {
  /** A module that exports `load` as `LoadModule` says. */
  readonly module: URL
  /** Handed to it; what a message to another thread can hold. */
  readonly data: unknown
  /** Gets what it says meanwhile. */
  readonly told?: (message: unknown) => void
}

export interface LoadModule {
  readonly load: (
    targets: ReadonlyMap<string, IngestTarget>,
    data: unknown,
    tell: (message: unknown) => void,
  ) => Promise<void> | void
}

/** A loader as a message to another thread can hold it. */
export interface NamedLoader {
  /** The address of its module. */
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
