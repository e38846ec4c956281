import { createSyntaxDiagramsCode } from 'chevrotain'
import type { Production } from './grammar.ts'

/** Where the page finds the scripts that draw it, as seen from the `grammar` folder of a checkout. */
const DIAGRAMS = '../node_modules/chevrotain/diagrams/'

/** An HTML page with a railroad diagram of every rule. For tests and tools: this module loads Chevrotain at import. */
export function railroadPage(grammar: readonly Production[]): string {
  const page = createSyntaxDiagramsCode([], { resourceBase: DIAGRAMS, css: `${DIAGRAMS}diagrams.css` })
  const data = JSON.stringify(grammar).replaceAll('</', String.raw`<\/`)
  const filled = page.replace('window.serializedGrammar = []', () => `window.serializedGrammar = ${data}`)
  return `${filled.replaceAll(/[ \t]+$/gm, '').trim()}\n`
}
