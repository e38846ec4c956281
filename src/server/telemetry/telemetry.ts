import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { RecordFaults } from '../../data/index.ts'

/** Metrics of the server itself. Label values are route names and statuses, never values from clients. */
export class Telemetry {
  readonly registry = new Registry()
  readonly #requests = new Counter({
    name: 'sluice_http_requests_total',
    help: 'Requests by route, method and status; 499 if the client closed the connection first.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.registry],
  })
  readonly #seconds = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  })

  readonly #querySeconds = new Histogram({
    name: 'sluice_query_duration_seconds',
    help: 'Time from the request of a query to the end of its answer, the wait in its queue included.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  })

  /** Returns a counter; the same name returns the same counter. `label` is the name of its label. */
  counter(name: string, help: string, label?: string): (count: number, value?: string) => void {
    const known = this.registry.getSingleMetric(name)
    const counter =
      known instanceof Counter
        ? known
        : new Counter<string>({
            name,
            help,
            labelNames: label === undefined ? [] : [label],
            registers: [this.registry],
          })
    return (count, value) => {
      if (label === undefined || value === undefined) counter.inc(count)
      else counter.inc({ [label]: value }, count)
    }
  }

  readonly #unreadableTimes = new Counter({
    name: 'sluice_unreadable_times_total',
    help: 'Records that were stored at the time of their arrival, because their own could not be read, by table.',
    labelNames: ['table'],
    registers: [this.registry],
  })

  readonly #timelessRecords = new Counter({
    name: 'sluice_timeless_records_total',
    help: 'Records that were stored at the time of their arrival, because they have no time, by table.',
    labelNames: ['table'],
    registers: [this.registry],
  })

  /** Adds a gauge whose value is read on request. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    })
    this.registry.registerMetric(gauge)
  }

  /** Adds gauges with a label whose values are read on request. NaN is left out. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
  ): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        for (const [value, figure] of Object.entries(await read()))
          if (!Number.isNaN(figure)) this.set({ [label]: value }, figure)
      },
    })
    this.registry.registerMetric(gauge)
  }

  /** Adds a counter whose value is kept elsewhere and read on request. */
  counted(name: string, help: string, read: () => number): void {
    const counter = new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset()
        const count = read()
        // The count is skipped while it is not known or zero.
        if (count > 0) this.inc(count)
      },
    })
    this.registry.registerMetric(counter)
  }

  /** Adds counters with a label whose values are kept elsewhere and read on request. */
  countedBy(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    const counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect() {
        this.reset()
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
      },
    })
    this.registry.registerMetric(counter)
  }

  /**
   * Adds memory, event loop and garbage collection metrics. They exist once for each process, so only the listener
   * calls it.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry, prefix: 'sluice_' })
  }

  /** Counts records that were stored into a table. */
  took(table: string, { unreadableTimes = 0, timelessRecords = 0 }: Partial<RecordFaults>): void {
    if (unreadableTimes > 0) this.#unreadableTimes.inc({ table }, unreadableTimes)
    if (timelessRecords > 0) this.#timelessRecords.inc({ table }, timelessRecords)
  }

  observeQuery(route: string, seconds: number): void {
    this.#querySeconds.observe({ route }, seconds)
  }

  observe(route: string, method: string, status: number, seconds: number): void {
    this.#requests.inc({ route, method, status })
    this.#seconds.observe({ route }, seconds)
  }
}
