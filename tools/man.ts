import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { main } from '../src/cli/main.ts'
import { processTerminal } from '../src/cli/process-terminal.ts'
import { root } from './library.ts'

/** Writes the manual page of the package: `node tools/man.ts [folder]`, `dist` by default. */
let text = ''
const write = async (piece: string): Promise<void> => {
  text += piece
}
process.exitCode = await main(['man'], { ...processTerminal(), write })
writeFileSync(join(process.argv[2] ?? join(root, 'dist'), 'sluice.1'), text)
