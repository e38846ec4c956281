import type { IngestTarget } from './ingest/decoder.ts'
import { namedModule } from './named-module.ts'

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

export async function loadData(
  loader: { readonly module: string; readonly data: unknown } | undefined,
  targets: ReadonlyMap<string, IngestTarget>,
  tell: (message: unknown) => void,
): Promise<void> {
  if (loader === undefined) return
  const { load } = await namedModule<LoadModule>(loader.module)
  await load(targets, loader.data, tell)
}
