import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  children: ReactNode
  /** What to show in place of what threw; `retry` renders it anew. */
  fallback: (retry: () => void) => ReactNode
}

/** Keeps a fault of a view to its own place on the screen. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  private readonly retry = () => this.setState({ hasFailed: false })

  override render() {
    return this.state.hasFailed ? this.props.fallback(this.retry) : this.props.children
  }
}
