import { present } from '../../base/index.ts'
import type { LoadModule } from '../../server/index.ts'
import { loadKind, parseLoad } from '../load-kind.ts'
import { loadDemo } from './demo.ts'
import type { LoadMessage, ServeLoad } from './loader.ts'

/** Loads data into the first backend. Called in the thread that owns the backends of `serve`. */
export const load: LoadModule['load'] = async (targets, data, say) => {
  const { seed, files, options, nowNs } = data as ServeLoad
  const tell = (message: LoadMessage): void => say(message)
  const target = present([...targets.values()][0])
  if (seed !== undefined) loadDemo(target, seed, nowNs)
  for (const entry of files) {
    const { kind, path } = parseLoad(entry)
    const report = await loadKind(kind, path, target, {
      format: 'auto',
      nowNs,
      options,
      onProgress: (progress, totalBytes) => tell({ kind: 'progress', report: progress, totalBytes }),
    })
    tell({ kind: 'loaded', report })
  }
}
