import { dirname } from 'node:path'
import type { Command } from 'commander'
import { SluiceError } from '../../base/index.ts'
import { readCatalogFile, withPlaces } from '../catalog-file.ts'
import type { CommandModule } from '../command.ts'
import type { Terminal } from '../terminal.ts'

async function check(path: string, terminal: Terminal): Promise<void> {
  const text = readCatalogFile(path)
  const { checkCatalog, closeAll } = await import('../../catalog/index.ts')
  await withPlaces(text, path, terminal, async () => {
    const { tables, engines, diagnostics } = await checkCatalog(text, { folder: dirname(path), env: terminal.env })
    await closeAll(engines)
    if (diagnostics.length > 0) throw new SluiceError(diagnostics)
    for (const { connection, mapping } of tables) {
      const { name, fields, time, attributes } = mapping
      const more = attributes.length === 0 ? '' : `, attributes in ${attributes.map(({ column }) => column).join(', ')}`
      await terminal.write(
        `${name}: ${fields.length + 1} fields of ${connection}, time in ${time.column} (${time.unit})${more}\n`,
      )
    }
  })
}

async function infer(where: string, tables: readonly string[], terminal: Terminal): Promise<void> {
  const { inferCatalog } = await import('../../catalog/index.ts')
  await withPlaces('', where, terminal, async () => {
    await terminal.write(
      await inferCatalog(where, { env: terminal.env, tables: tables.length === 0 ? undefined : tables }),
    )
  })
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .command('check')
    .description('Compare a catalog with its databases')
    .argument('<file>', 'the catalog, YAML or JSON')
    .action((path: string) => check(path, terminal))
  command
    .command('infer')
    .description('Propose a catalog for a database')
    .argument(
      '<where>',
      'an address as postgres://… or https://…, a file as app.db or logs.duckdb, or files as logs/*.parquet',
    )
    .argument('[tables...]', 'tables to map (default: all)')
    .action((where: string, tables: string[]) => infer(where, tables, terminal))
}
