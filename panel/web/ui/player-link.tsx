// Leads to a player's page, wherever their reference stands. All staff may open it.
import { Link } from '@tanstack/react-router';

interface PlayerLinkProps {
  readonly operationId: string;
  readonly playerRef: string;
}

export function PlayerLink({ operationId, playerRef }: PlayerLinkProps) {
  return (
    <Link to="/players/$operation/$ref" params={{ operation: operationId, ref: playerRef }} className="ref">
      {playerRef}
    </Link>
  );
}
