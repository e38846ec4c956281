import { openCatalog } from '../../catalog/index.ts'
import type { OpenerModule } from '../../server/index.ts'
import { engineOf } from '../catalog-file.ts'
import type { ServedCatalog } from './catalog-opener.ts'
import { openerOver } from './catalog-processes.ts'

/** Opens a catalog. Called in each query thread. */
export const open: OpenerModule['open'] = async (given, clock) => {
  const { text, sockets, requirePushdown, adviceMs, ...options } = given as ServedCatalog
  const catalog = await openCatalog(text, { ...options, open: openerOver(sockets) })
  const engine = engineOf(catalog, { requirePushdown, adviceMs }, clock)
  return { engine, sampleSource: catalog.samples(engine) }
}
