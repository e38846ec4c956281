import { createSyntaxDiagramsCode } from 'chevrotain'
import type { Production } from './grammar.ts'

/** Path from the `grammar` folder of a checkout to the scripts that draw the diagrams. */
const DIAGRAMS = '../node_modules/chevrotain/diagrams/'

/**
 * Returns an HTML page with a railroad diagram of every rule. For tests and tools only: importing this module loads
 * Chevrotain.
 */
export function railroadPage(grammar: readonly Production[]): string {
  const page = createSyntaxDiagramsCode([], { resourceBase: DIAGRAMS, css: `${DIAGRAMS}diagrams.css` })
  const data = JSON.stringify(grammar).replaceAll('</', String.raw`<\/`)
  const filled = page.replace('window.serializedGrammar = []', () => `window.serializedGrammar = ${data}`)
  return `${filled.replaceAll(/[ \t]+$/gm, '').trim()}\n`
}
