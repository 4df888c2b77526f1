import { Component, type ReactNode } from 'react'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import css from '#web/parts/error-boundary.module.css'

interface Props {
  /** A new one tries again: the address, for instance. */
  resetBy: string
  children: ReactNode
}

/** Keeps a fault of one page from taking the others down. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override componentDidUpdate({ resetBy }: Props): void {
    if (resetBy !== this.props.resetBy && this.state.error) this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div role="alert">
        <EmptyState whole icon="alert" title="This page has failed">
          <p>Something in it went wrong that Facet did not expect. What you have saved is safe.</p>
          <Button kind="primary" onClick={() => location.reload()}>
            Load again
          </Button>
          <details className={css.report}>
            <summary>For a report of the fault</summary>
            <pre>{error.message}</pre>
          </details>
        </EmptyState>
      </div>
    )
  }
}
