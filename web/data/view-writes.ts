import { sameJson } from '#src/domain/same-json.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { createView, deleteView, getView, updateView, watchView } from '#web/api/operations.ts'
import { type View, viewsQuery } from '#web/data/views-query.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { type ViewSettings } from '#web/rules/view-settings.ts'

/** What a view stores. */
export interface ViewContents {
  filter: Filter
  settings: ViewSettings
  shared?: boolean
  icon?: string
}

/** How often a view is read again that changed between reading and writing. */
const MOST_TRIES = 3

export interface ViewWrites {
  create: (name: string, contents: ViewContents) => Promise<View>
  /** What is not given stays. */
  update: (view: View, changes: Partial<ViewContents & { name: string }>) => Promise<View>
  /** Ends that somebody else shares it, as owners may: it is out of sight then. */
  unshare: (view: View) => Promise<void>
  remove: (view: View) => Promise<void>
  /** What notifications are about; what is not named ends. */
  watch: (view: Pick<View, 'view_id' | 'name'>, events: Partial<View['watch']>) => Promise<void>
  /** One's own, in a new order. */
  reorder: (own: readonly View[]) => void
  /** Writes the order, once it is as it is to be. */
  keepOrder: (own: readonly View[]) => Promise<void>
}

/** Writes to one's own views; the list of them follows. */
export function useViewWrites(): ViewWrites {
  const client = useQueryClient()
  const change = (next: (views: readonly View[]) => View[]) =>
    client.setQueryData(viewsQuery.queryKey, (old) => old && next(old))
  /** One that was deleted meanwhile is named, and leaves the list. */
  const ofView = async <T>(
    { view_id, name }: Pick<View, 'view_id' | 'name'>,
    writing: Promise<T>,
  ): Promise<T> => {
    try {
      return await writing
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 404) throw error
      change((views) => views.filter((each) => each.view_id !== view_id))
      const message = `The view ${name} is not there any more: it was deleted, or is shared no more`
      throw new Fault(404, { error: error.code, message })
    }
  }
  /** What is not to change is sent as it is at that moment: this page may have it from before a rename of a field. */
  const write = async (
    { view_id }: View,
    changes: Partial<ViewContents & { name: string; position: number }>,
  ) => {
    for (let tries = 1; ; tries++) {
      const { name, icon, filter, updated_at } = (await call(getView, { view_id })).data
      const { filter: wanted = filter, settings, ...rest } = changes
      const input = {
        view_id,
        name,
        icon,
        ...rest,
        filter: { ...wanted },
        ...(settings && { settings: { ...settings } }),
      }
      try {
        return (await call(updateView, input, { headers: { 'if-match': `"${updated_at}"` } })).data
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'PreconditionFailed' || tries === MOST_TRIES)
          throw error
      }
    }
  }
  return {
    create: async (name, { filter, settings, shared = false, icon }) => {
      const { data } = await call(createView, {
        name,
        filter: { ...filter },
        settings: { ...settings },
        shared,
        ...(icon !== undefined && { icon }),
      })
      change((views) => [...views, data])
      return data
    },
    update: async (view, changes) => {
      const { filter, ...rest } = changes
      const data = await ofView(view, write(view, sameJson(filter, view.filter) ? rest : changes))
      change((views) => views.map((each) => (each.view_id === view.view_id ? data : each)))
      return data
    },
    unshare: async (view) => {
      await ofView(view, write(view, { shared: false }))
      change((views) => views.filter((each) => each.view_id !== view.view_id))
    },
    remove: async ({ view_id, name }) => {
      await ofView({ view_id, name }, call(deleteView, { view_id }))
      change((views) => views.filter((each) => each.view_id !== view_id))
    },
    watch: async ({ view_id, name }, events) => {
      const { data: watch } = await ofView({ view_id, name }, call(watchView, { view_id, ...events }))
      change((views) => views.map((each) => (each.view_id === view_id ? { ...each, watch } : each)))
    },
    reorder: (own) => {
      // An answer that is under way has the order of before.
      void client.cancelQueries({ queryKey: viewsQuery.queryKey }, { revert: false, silent: true })
      const ids = new Set(own.map(({ view_id }) => view_id))
      change((views) => [...own, ...views.filter(({ view_id }) => !ids.has(view_id))])
    },
    keepOrder: async (own) => {
      for (const [position, view] of own.entries())
        if (view.position !== position) {
          const data = await write(view, { position })
          change((views) => views.map((each) => (each.view_id === view.view_id ? data : each)))
        }
    },
  }
}
