import { Component, type ReactNode } from 'react'
import { CrashPage } from './crash-page.tsx'

type CrashBoundaryProps = { children: ReactNode }
type CrashBoundaryState = { error: unknown; hasCrashed: boolean }

/** React catches errors of children only in a class component. */
export class CrashBoundary extends Component<CrashBoundaryProps, CrashBoundaryState> {
  override state: CrashBoundaryState = { error: undefined, hasCrashed: false }

  static getDerivedStateFromError(error: unknown): CrashBoundaryState {
    return { error, hasCrashed: true }
  }

  override render() {
    return this.state.hasCrashed ? <CrashPage error={this.state.error} /> : this.props.children
  }
}
