package org.panamaverbs.ibverbs.crash;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs one case: {@code CrashCases CASE PROVIDER:DEVICE ADDRESS}; {@code CrashCases --list} prints their names. Ends
 * with 0 and a line that says what came of it, 1 if the case failed, 77 with the reason if the device cannot do it; any
 * other end is a crash.
 */
final class CrashCases {
    private static final int SKIPPED = 77;

    private CrashCases() {}

    static List<CrashCase> all() {
        List<CrashCase> cases = new ArrayList<>();
        cases.addAll(OrderCases.all());
        cases.addAll(ClosedCases.all());
        cases.addAll(ThreadCases.all());
        cases.addAll(FlightCases.all());
        cases.addAll(ArgumentCases.all());
        cases.addAll(LimitCases.all());
        cases.addAll(PeerCases.all());
        return cases;
    }

    /** Runs the case that the arguments name, see the class. */
    public static void main(String[] arguments) {
        if (arguments.length == 1 && arguments[0].equals("--list")) {
            all().forEach(each -> System.out.println(each.name()));
            return;
        }
        if (arguments.length != 3) {
            System.err.println("usage: CrashCases CASE PROVIDER:DEVICE ADDRESS | --list");
            System.exit(2);
        }
        CrashCase wanted = all().stream()
                .filter(each -> each.name().equals(arguments[0]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no case is named " + arguments[0]));
        System.exit(run(wanted, new Stage(arguments[1], arguments[2])));
    }

    private static int run(CrashCase wanted, Stage stage) {
        try {
            String came = wanted.body().run(stage);
            stage.close();
            System.out.println(came);
            return 0;
        } catch (Skipped e) {
            System.out.println(e.getMessage());
            return SKIPPED;
        } catch (Throwable e) {
            e.printStackTrace();
            return 1;
        }
    }
}
