import type { ReactNode } from "react";

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M3.5 10.5h-1v-8h8v1" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.5 3.5 3.5L13 4.5" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.5" />
    <path d="m10.5 10.5 3 3" />
  </Icon>
);
export const ArrowIcon = () => (
  <Icon>
    <path d="M2.5 8h11M9.5 4l4 4-4 4" />
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="M13.5 8h-11M6.5 4l-4 4 4 4" />
  </Icon>
);
export const ClockIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 4.8V8l2.2 1.6" />
  </Icon>
);
export const CriticalIcon = () => (
  <Icon>
    <path d="M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1" />
  </Icon>
);
export const MajorIcon = () => (
  <Icon>
    <path d="M8 2 14 8l-6 6-6-6z" />
  </Icon>
);
export const MinorIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
  </Icon>
);
export const ImprovementIcon = () => (
  <Icon>
    <path d="M8 13.5v-11M4 6.5l4-4 4 4" />
  </Icon>
);
export const NoneIcon = () => (
  <Icon>
    <path d="M3.5 8h9" />
  </Icon>
);
