import { atPath, present, type JsonPath } from '../../../base/index.ts'
import type { MatrixSelector, PromqlExpr, VectorSelector } from '../ast.ts'
import { promqlDiagnostic } from '../diagnostics.ts'
import { closed, NO_PLACE } from '../make.ts'
import { parseUnchecked } from '../parse.ts'
import { PipelineFault } from './pipeline-fault.ts'
import { mapChildren, restrictAll } from '../transform.ts'

const SLOT = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Returns a prefix for placeholder names that the template does not contain. */
function slotPrefix(template: string): string {
  let prefix = 'slot_'
  while (template.includes(prefix)) prefix += '_'
  return prefix
}

function isPlain(expr: PromqlExpr): expr is VectorSelector {
  const isSelector = expr.kind === 'vector-selector'
  return isSelector && expr.offsetMs === 0 && !expr.offsetExpr && !expr.at && !expr.extension
}

function hasModifiers(selector: VectorSelector): boolean {
  return selector.offsetMs !== 0 || !!selector.offsetExpr || !!selector.at || !!selector.extension
}

class SlotFiller {
  readonly #names: ReadonlyMap<string, string>
  readonly #path: JsonPath
  readonly #fill: (name: string) => PromqlExpr
  readonly #seen = new Set<string>()

  constructor(names: ReadonlyMap<string, string>, path: JsonPath, fill: (name: string) => PromqlExpr) {
    this.#names = names
    this.#path = path
    this.#fill = fill
  }

  run(tree: PromqlExpr): PromqlExpr {
    const filled = this.#replace(tree)
    for (const [word, name] of this.#names) {
      if (!this.#seen.has(word)) this.#refuse(name, 'it stands for an expression, not for a part of a text or a list')
    }
    return filled
  }

  #refuse(name: string, why: string): never {
    throw new PipelineFault(promqlDiagnostic('pipeline-slot', { name, why }, atPath(this.#path)))
  }

  #replace(expr: PromqlExpr): PromqlExpr {
    if (expr.kind === 'vector-selector') return this.#replaceSelector(expr)
    if (expr.kind === 'matrix-selector') return this.#replaceRange(expr)
    const isOperator = expr.kind === 'binary' || expr.kind === 'unary' || expr.kind === 'subquery'
    return mapChildren(expr, (child) => {
      const replaced = this.#replace(child)
      return isOperator && replaced !== child && this.#isSlot(child) ? closed(replaced) : replaced
    })
  }

  #isSlot(expr: PromqlExpr): boolean {
    return expr.kind === 'vector-selector' ? this.#names.has(expr.name) : expr.kind === 'matrix-selector'
  }

  /**
   * Returns the content of a slot, restricted by the matchers written after the slot. `undefined` if the selector is
   * not a slot.
   */
  #content(selector: VectorSelector): PromqlExpr | undefined {
    const name = this.#names.get(selector.name)
    if (name === undefined) return undefined
    this.#seen.add(selector.name)
    return restrictAll(this.#fill(name), selector.matchers.slice(0, -1))
  }

  #replaceSelector(selector: VectorSelector): PromqlExpr {
    const content = this.#content(selector)
    if (content === undefined) return selector
    if (!hasModifiers(selector)) return content
    if (!isPlain(content)) this.#refuse(this.#names.get(selector.name)!, 'offset, @ and the like need a plain selector')
    const { offsetMs, offsetExpr, at, extension } = selector
    return { ...content, offsetMs, offsetExpr, at, extension }
  }

  /** Fills a slot that has a range. A plain selector gets the range; any other expression becomes a subquery. */
  #replaceRange(expr: MatrixSelector): PromqlExpr {
    const content = this.#content(expr.selector)
    if (content === undefined) return expr
    const { offsetMs, offsetExpr, at, extension } = expr.selector
    if (isPlain(content)) return { ...expr, selector: { ...content, offsetMs, offsetExpr, at, extension } }
    if (extension) this.#refuse(this.#names.get(expr.selector.name)!, `${extension} needs a plain selector`)
    return {
      kind: 'subquery',
      valueType: 'matrix',
      expr: closed(content),
      rangeMs: expr.rangeMs,
      rangeExpr: expr.rangeExpr,
      stepMs: 0,
      stepExpr: undefined,
      offsetMs,
      offsetExpr,
      at,
      span: NO_PLACE,
    }
  }
}

/**
 * Fills the slots `{{name}}` of a PromQL template. Slots are replaced in the syntax tree, so their content does not
 * change how the rest of the text is parsed.
 */
export function fillSlots(template: string, path: JsonPath, fill: (name: string) => PromqlExpr): PromqlExpr {
  const prefix = slotPrefix(template)
  const names = new Map<string, string>()
  const text = template.replace(SLOT, (_, name: string) => {
    const word = `${prefix}${names.size}`
    names.set(word, name)
    return word
  })
  const { ast, diagnostics } = parseUnchecked(text)
  if (ast === undefined) throw new PipelineFault({ ...present(diagnostics[0]), origin: atPath(path), fixes: [] })
  return new SlotFiller(names, path, fill).run(ast)
}
