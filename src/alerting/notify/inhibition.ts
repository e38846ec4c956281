import type { Labels } from '../../data/index.ts'
import { isFiring } from '../alert.ts'
import type { InhibitRule } from './config/index.ts'
import type { RoutedAlert } from './types.ts'

/** Source alerts of each rule, by the values of the rule's `equal` labels, then by label key. */
type Sources = Map<string, Map<string, RoutedAlert>>

/** Finds alerts that are inhibited by firing source alerts. */
export class Inhibitor {
  readonly #rules: readonly { readonly rule: InhibitRule; readonly sources: Sources }[]

  constructor(rules: readonly InhibitRule[]) {
    this.#rules = rules.map((rule) => ({ rule, sources: new Map() }))
  }

  /** Adds or replaces an alert, firing or not. */
  set(alert: RoutedAlert): void {
    const { labels } = alert
    for (const { rule, sources } of this.#rules) {
      if (!rule.source(labels)) continue
      const key = labels.keyOf(rule.equal)
      let alike = sources.get(key)
      if (alike === undefined) sources.set(key, (alike = new Map()))
      alike.set(labels.key, alert)
    }
  }

  delete(labels: Labels): void {
    for (const { rule, sources } of this.#rules) {
      const key = labels.keyOf(rule.equal)
      const alike = sources.get(key)
      if (alike?.delete(labels.key) === true && alike.size === 0) sources.delete(key)
    }
  }

  /**
   * Returns a firing source alert for each rule that inhibits these labels. A label that neither alert has counts as
   * equal. A target that is itself a source of the rule is not inhibited.
   */
  inhibitedBy(labels: Labels, nowMs: number): readonly Labels[] {
    return this.#rules.flatMap(({ rule, sources }) => {
      if (!rule.target(labels)) return []
      const isSource = rule.source(labels)
      for (const source of sources.get(labels.keyOf(rule.equal))?.values() ?? []) {
        if (isFiring(source, nowMs) && !(isSource && rule.target(source.labels))) return [source.labels]
      }
      return []
    })
  }
}
