"""A client of the analysis protocol: asks for hints on two positions, prints what comes, the best plan of each at the end."""

import json
import subprocess
import sys

POSITIONS = {
    "fight": "4211 M:6 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal",
    "movement": "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-",
}


def main() -> None:
    """Ask for all, then read until each id has its final answer."""
    command = [sys.executable, "-m", "tetrasolve", "analyse"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own program
        assert server.stdin is not None and server.stdout is not None
        for name, position in POSITIONS.items():
            request = {"id": name, "ask": "hint", "position": position, "top": 1, "budget": "expectimax"}
            server.stdin.write(json.dumps(request) + "\n")
        server.stdin.close()  # it answers what is open, then ends
        for line in server.stdout:
            answer = json.loads(line)
            if answer["status"] == "error":
                print(answer["id"], "error:", answer["error"]["problem"])
            elif answer["final"]:
                best = answer["result"]["plans"][0]
                print(f"{answer['id']}: {best['plan']} (wins {100 * best['win']['value']:.0f} %)")


if __name__ == "__main__":
    main()
