import type { PlainJson } from '../../data/index.ts'
import type { PartCount } from '../part-count.ts'
import { attributesOf, dataOf, headOf, objectOf, objectsOf, pointOf, scopeOf, type Members } from './members.ts'
import type { Metric, MetricKind, Point, ResourceMetrics, ScopeMetrics } from './points.ts'

/** Reads a parsed metrics export. Throws an Error that names the faulty member. */
export class JsonMetricsReader {
  readonly #parts: PartCount

  constructor(parts: PartCount) {
    this.#parts = parts
  }

  *resources(document: PlainJson): Generator<ResourceMetrics> {
    if (document === null) throw new Error('it is not an object')
    for (const given of this.#list(objectOf(document, 'the document'), 'resourceMetrics')) {
      yield {
        attributes: attributesOf(this.#counted(objectOf(given['resource'], 'resource'))),
        scopes: this.#scopes(given),
      }
    }
  }

  /** Yields a list of objects and counts each object as a part. */
  *#list(members: Members, name: string): Generator<Members> {
    for (const item of objectsOf(members, name)) {
      this.#parts.begin()
      this.#parts.add()
      yield item
    }
  }

  /** Counts the items of all lists in these members. The count is the same as for the same data in protobuf. */
  #counted(members: Members): Members {
    for (const member of Object.values(members)) {
      if (Array.isArray(member)) this.#parts.add(member.length)
      if (typeof member === 'object' && member !== null) this.#counted(member as Members)
    }
    return members
  }

  *#scopes(given: Members): Generator<ScopeMetrics> {
    for (const scoped of this.#list(given, 'scopeMetrics'))
      yield { scope: scopeOf(this.#counted(objectOf(scoped['scope'], 'scope'))), metrics: this.#metrics(scoped) }
  }

  *#metrics(scoped: Members): Generator<Metric> {
    for (const given of this.#list(scoped, 'metrics')) {
      const [member, kind] = dataOf(given)
      const data = objectOf(given[member], member)
      yield { ...headOf(given, kind, data), points: () => this.#points(kind, data) }
    }
  }

  *#points(kind: MetricKind | undefined, data: Members): Generator<Point> {
    for (const given of this.#list(data, 'dataPoints')) yield pointOf(kind, this.#counted(given))
  }
}
