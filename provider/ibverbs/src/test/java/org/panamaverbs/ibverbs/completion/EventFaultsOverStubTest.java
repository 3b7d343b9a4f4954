package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.spi.support.AsyncEventQueue;
import org.panamaverbs.testkit.faults.FaultRun;
import org.panamaverbs.testkit.faults.FaultScenario;
import org.panamaverbs.testkit.faults.FaultyClasses;

/**
 * Memory that runs out at one allocation after the other, also between the getting of an event and its acknowledgement.
 */
class EventFaultsOverStubTest {
    private static final String PROVIDER = IbvContext.class.getPackageName().replaceFirst("[.][^.]*$", ".");
    private static final String SUPPORT = AsyncEventQueue.class.getPackageName() + ".";
    // The taking of events; making and closing have places of their own.
    private static final Pattern OF_EVENTS = Pattern.compile(
            "IbvCompletionChannel[.](await|get|acknowledge|settle)|NativeObjects[.]at|AsyncEvent(s|Queue)|Wakeup|Interruption|Call");

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @Test
    void whatRaisedAnEventCanBeDestroyedAfterAFault() throws Exception {
        FaultyClasses classes = new FaultyClasses(EventFaultsOverStubTest::isProvider);
        Class<?> lives = Class.forName(EventLives.class.getName(), true, classes);

        FaultRun.Outcome outcome = new FaultRun(
                        () -> (FaultScenario) lives.getConstructor().newInstance())
                .run((index, place) -> OF_EVENTS.matcher(place).lookingAt(), 1);

        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.reached()).isPositive();
    }

    private static boolean isProvider(String name) {
        URL found = IbvContext.class.getClassLoader().getResource(name.replace('.', '/') + ".class");
        boolean ours = name.startsWith(PROVIDER) || name.startsWith(SUPPORT);
        return ours && found != null && !found.getPath().contains("test-classes");
    }
}
