import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  children: ReactNode
  fallback: (retry: () => void) => ReactNode
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  private readonly retry = () => this.setState({ hasFailed: false })

  override render() {
    return this.state.hasFailed ? this.props.fallback(this.retry) : this.props.children
  }
}
