/**
 * The collapsed spans. By default, the spans at `depth` and deeper are collapsed. `toggled` has the exceptions, in both
 * directions. So a URL can collapse a large trace and expand a few spans.
 */
export interface Folds {
  /** `undefined`: by default no span is collapsed. */
  readonly depth: number | undefined
  readonly toggled: ReadonlySet<number>
}

export function foldsOf(depth: string | undefined, toggled: string | undefined): Folds {
  const positions = (toggled ?? '').split('.').filter((text) => /^[0-9a-z]+$/.test(text))
  const level = Number(depth)
  return {
    depth: depth !== undefined && Number.isInteger(level) && level >= 0 ? level : undefined,
    toggled: new Set(positions.map((text) => Number.parseInt(text, 36))),
  }
}

/** Encodes toggled spans for the URL. */
export function toggledText(toggled: ReadonlySet<number>): string {
  return [...toggled].map((position) => position.toString(36)).join('.')
}

export function isFolded({ depth, toggled }: Folds, position: number, depths: Uint32Array): boolean {
  return (depths[position] ?? 0) >= (depth ?? Infinity) !== toggled.has(position)
}

/** Returns the list indexes of spans without a collapsed ancestor. */
export function visiblePositions(folds: Folds, depths: Uint32Array, sizes: Uint32Array): Uint32Array {
  const visible = new Uint32Array(depths.length)
  let count = 0
  for (let position = 0; position < depths.length;) {
    visible[count++] = position
    position += isFolded(folds, position, depths) ? (sizes[position] ?? 1) : 1
  }
  return visible.subarray(0, count)
}

/** Returns the position of a span among the visible ones; for a hidden span, that of the collapsed ancestor. */
export function indexOfPosition(visible: Uint32Array, position: number): number {
  let [low, high] = [0, visible.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((visible[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}
