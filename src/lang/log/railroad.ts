import type { GrammarNode, GrammarRule } from './rule-graph.ts'

/** A piece of a diagram, in the names that the drawing scripts read. */
interface Drawn {
  readonly type: string
  readonly name?: string
  readonly label?: string
  readonly definition?: readonly Drawn[]
}

/** Where the page finds the scripts that draw it, seen from the `grammar` folder. */
const DRAWING = '../node_modules/chevrotain/diagrams'

function itemsOf(node: GrammarNode): readonly Drawn[] {
  return node.kind === 'sequence' ? node.items.map(drawn) : [drawn(node)]
}

function drawn(node: GrammarNode): Drawn {
  switch (node.kind) {
    case 'token':
      return { type: 'Terminal', name: node.name, label: node.label }
    case 'rule':
      return { type: 'NonTerminal', name: node.name }
    case 'sequence':
      return { type: 'Alternative', definition: itemsOf(node) }
    case 'choice':
      return {
        type: 'Alternation',
        definition: node.items.map((item) => ({ type: 'Alternative', definition: itemsOf(item) })),
      }
    case 'optional':
      return { type: 'Option', definition: itemsOf(node.item) }
    case 'repeat':
      return { type: node.min === 0 ? 'Repetition' : 'RepetitionMandatory', definition: itemsOf(node.item) }
  }
}

/** A page with a diagram of every rule. */
export function railroadPage(rules: readonly GrammarRule[]): string {
  const grammar = rules.map(({ name, body }): Drawn => ({ type: 'Rule', name, definition: itemsOf(body) }))
  const data = JSON.stringify(grammar).replaceAll('</', String.raw`<\/`)
  return `<!-- This is a generated file -->
<!DOCTYPE html>
<meta charset="utf-8">
<style>
  body {
    background-color: hsl(30, 20%, 95%)
  }
</style>

<link rel='stylesheet' href='${DRAWING}/diagrams.css'>

<script src='${DRAWING}/vendor/railroad-diagrams.js'></script>
<script src='${DRAWING}/src/diagrams_builder.js'></script>
<script src='${DRAWING}/src/diagrams_behavior.js'></script>
<script src='${DRAWING}/src/main.js'></script>

<div id="diagrams" align="center"></div>

<script>
    window.serializedGrammar = ${data};
</script>

<script>
    var diagramsDiv = document.getElementById("diagrams");
    main.drawDiagramsFromSerializedGrammar(serializedGrammar, diagramsDiv);
</script>
`
}
